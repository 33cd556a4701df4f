// Statements and receipts as tests compute with them: with numbers in place of the strings that decimals are.

const DECIMALS =
  /^(product_\w+|packaging|transportation|\w*emission\w*|share_percent|low|high|level|gsd|primary_data_share|data_quality_rating|log_sd|remaining_\w+|allocated_\w+|ledger_months_before|unallocated_tenure_months|score)$/

/** @param more names of members that are decimals */
export const withNumbers = <Document>(text: string, more: readonly string[] = []): Document =>
  JSON.parse(text, (name, value: unknown) =>
    (DECIMALS.test(name) || more.includes(name)) && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
      ? Number(value)
      : value,
  ) as Document
