/** Key of a transfer's metadata with its description. */
export const REASON_KEY: string = 'splice.lfdecentralizedtrust.org/reason';
