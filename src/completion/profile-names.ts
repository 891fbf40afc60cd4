/** What scripts run to learn the names of the profiles, each on a line of its own. */
export const listProfiles = "partner profile list --output csv --columns name --no-header --quiet";
