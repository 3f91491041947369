/** It cannot be an offset or a time, which begin with a digit. */
export const SNAPSHOT_NAME: RegExp = /^[A-Za-z][\w.-]{0,62}$/;
