/** A name cannot be an offset or a time, because these begin with a digit. */
export const SNAPSHOT_NAME: RegExp = /^[A-Za-z][\w.-]{0,62}$/;
