/** Version of the program; equal to that of the package. */
export const VERSION = '0.1.0';
