// Statements and receipts as tests compute with them: with numbers in place of the strings that decimals are.

const DECIMALS = [
  /^(product_\w+|packaging|transportation|\w*emission\w*|share_percent|primary_data_share|data_quality_rating)$/,
  /^(low|high|level|gsd|log_sd|score|remaining_\w+|allocated_\w+|ledger_months_before|unallocated_tenure_months)$/,
]

/** @param more names of members that are decimals */
export const withNumbers = <Document>(text: string, more: readonly string[] = []): Document =>
  JSON.parse(text, (name, value: unknown) =>
    typeof value === 'string' &&
    /^-?\d+(\.\d+)?$/.test(value) &&
    (more.includes(name) || DECIMALS.some((pattern) => pattern.test(name)))
      ? Number(value)
      : value,
  ) as Document
