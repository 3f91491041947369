export const REASON_KEY: string = 'splice.lfdecentralizedtrust.org/reason';
