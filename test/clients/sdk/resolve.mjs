/* Registers a hook that finds the packages of the SDK's examples in this folder; the examples have no installation of their own. */
import { register } from 'node:module';

register(
  `data:text/javascript,${encodeURIComponent(`
  const parentURL = ${JSON.stringify(import.meta.url)};
  const ALIASES = { '@canton-network/wallet-sdk': 'wallet-sdk-1' };
  export function resolve(specifier, context, next) {
    const isPackage = !/^([./]|node:|file:|data:)/.test(specifier);
    const isOfExample = /\\/examples\\/scripts\\//.test(context.parentURL ?? '');
    return isPackage && isOfExample ? next(ALIASES[specifier] ?? specifier, { ...context, parentURL }) : next(specifier, context);
  }
`)}`,
);
