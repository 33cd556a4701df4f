// The groups that operations stand in, as the document shows them.

export const TAGS = {
  Orders: 'Orders and their estimates.',
  Devices: 'What was posted to each device.',
  Products: 'What the account says that its own product ids are.',
  Imports: 'Orders by file.',
  Exports: 'All that there is of a kind, as a file.',
  Reports: 'What was posted, for who reports it.',
  Catalogue: 'The figures that estimates are made from.',
  Account: 'For the account’s admins: its keys, its defaults, its demo fleet.',
  Operation: 'For those who watch over the service; no key is asked for.',
} as const
