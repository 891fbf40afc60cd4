/** What belongs to a channel's country. */
export interface ChannelCountry {
  readonly countryCode: string;
  readonly currency: string;
  readonly calling: string;
}

const countries: readonly ChannelCountry[] = [
  { countryCode: "TZ", currency: "TZS", calling: "255" },
  { countryCode: "KE", currency: "KES", calling: "254" },
];

/** The country that a channel's first letters name, as in `TZ-TIGO-C2B`; undefined where they name none. */
export function countryOf(channel: string): ChannelCountry | undefined {
  return countries.find(({ countryCode }) => channel.startsWith(`${countryCode}-`));
}

/** Why a mobile number cannot be reached by a channel; undefined where it can. Spec 4.5 has numbers of Tanzania. */
export function numberFault(msisdn: string, channel: string): string | undefined {
  const { calling } = countryOf(channel) ?? {};
  if (calling === undefined || msisdn.startsWith(calling)) return undefined;
  return `must be ${calling} and nine digits for ${channel}`;
}
