/** Null: the server's own ledger. */
export const forkName: string | null = /\/fork\/([^/]+)\/$/.exec(location.pathname)?.[1] ?? null;
