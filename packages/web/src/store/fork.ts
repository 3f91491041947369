/** Name of the fork that this page shows; null for the server's own ledger. */
export const forkName: string | null = /\/fork\/([^/]+)\/$/.exec(location.pathname)?.[1] ?? null;
