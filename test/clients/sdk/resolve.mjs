/*
 * Prepares a process for the SDK's examples: a hook finds their packages in this folder, because they have no installation of their own;
 * and names below `localhost` resolve to this machine, as in browsers.
 */
import dns from 'node:dns';
import { register } from 'node:module';

const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(name.endsWith('.localhost') ? 'localhost' : name, ...rest);

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
