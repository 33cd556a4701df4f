// Statements on partitioned tables that the test of partitions does not observe.

/**
 * Not observed yet, so that nothing is known of how they look rows up: those of imports are asked by a process beside
 * the service, those of ledgers by devices with very many entries alone.
 */
export const UNSEEN = [
  ...['imports-that-wait', 'list-orders-by-key', 'add-import-faults', 'keep-import-receiving', 'find-import-piece'],
  ...['find-entries-since', 'load-first-entries', 'load-entries'],
]
