/** The owner of the wallet, and the token for its requests. */
export interface WalletProps {
  readonly party: string;
  readonly token: string;
}
