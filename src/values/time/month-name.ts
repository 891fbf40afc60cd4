const names = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/**
 * A month for people: `October 2026`.
 * @param month `YYYY-MM`
 */
export function monthName(month: string): string {
  const [year = "", number = ""] = month.split("-");
  return `${names[Number(number) - 1] ?? number} ${year}`;
}
