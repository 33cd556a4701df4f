// The tags that group operations in the OpenAPI document.

export const TAGS = {
  Orders: 'Orders and their estimates.',
  Devices: 'Devices and what was posted to each.',
  Products: 'Mappings of the account’s product ids to models or device types.',
  Imports: 'Orders imported from files.',
  Restatements: 'Stored orders calculated again by other figures, with the causes of each difference.',
  Events: 'What happened in the account, as a feed and by webhooks.',
  Exports: 'All orders, events, devices or ledger entries as a file.',
  Reports: 'Posted emissions, for reporting.',
  Catalogue: 'The reference data that estimates are based on.',
  Account: 'For admins of the account: keys, defaults, demo fleet.',
  Operation: 'Health checks for operators. No key is required.',
} as const
