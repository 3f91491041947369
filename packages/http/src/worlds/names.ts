/** Not an offset and not a time, which begin with a digit. */
export const SNAPSHOT_NAME: RegExp = /^[A-Za-z][\w.-]{0,62}$/;
