/**
 * The HTTP room, empty for now: the registry, scan, wallet and ledger APIs will stand here, each a thin
 * translation of requests to one command or one view of the core and back.
 */
export {};
