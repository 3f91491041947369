import type { Register } from '../app.js';

/** The document of all routes that this server has. It answers everybody. */
export const registerOpenapi: Register = (api, server) => {
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
  });
  api.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: {
      title: 'coinlab',
      version: server.config.release,
      description: 'The APIs of a coin network over a simulated ledger.',
    },
  });
};
