/** Environment variables of flags that are no settings of a server. */
export const FLAG_VARIABLES = {
  data: 'COINLAB_DATA',
  store: 'COINLAB_STORE',
  advertise: 'COINLAB_ADVERTISE',
  lease: 'COINLAB_LEASE',
  config: 'COINLAB_CONFIG',
  from: 'COINLAB_FROM',
  at: 'COINLAB_AT',
  startWith: 'COINLAB_START_WITH',
  logLevel: 'COINLAB_LOG_LEVEL',
} as const;
