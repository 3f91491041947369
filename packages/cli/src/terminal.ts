/** Where the program speaks: results on one side, everything else on the other. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person watches the other side, so that a progress bar makes sense. */
  readonly isInteractive: boolean;
}
