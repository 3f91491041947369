export interface WalletProps {
  readonly party: string;
  readonly token: string;
}
