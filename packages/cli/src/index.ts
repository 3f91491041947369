/** The coinlab program; `main.ts` starts it. */
export {};
