/** The network's recommended maximum of UTXOs per party; growth is judged against it. */
export const TARGET_UTXOS: number = 10;

/** The network's limit of inputs per transaction. */
export const NETWORK_CAP: number = 100;
