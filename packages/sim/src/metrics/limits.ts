/** UTXOs that a party should not exceed: the network's own advice, and what growth is judged against. */
export const TARGET_UTXOS: number = 10;

/** Inputs that the network takes in one transaction. */
export const NETWORK_CAP: number = 100;
