/** The simulation room: payment streams and parties driven through the ledger. */
export {};
