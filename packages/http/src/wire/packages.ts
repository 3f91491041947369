import { INTERFACE_PACKAGES } from './ledger/interface-packages.js';
import { PACKAGE_IDS } from './templates.js';

export interface NetworkPackage {
  readonly packageId: string;
  readonly packageName: string;
  readonly packageVersion: string;
}

/** Version of the packages whose payloads this server writes. Assumption: A-145. */
const VERSION = '0.1.14';
const OTHER_VERSIONS: Readonly<Record<string, string>> = {
  'splice-util-featured-app-proxies': '1.1.0',
  'splice-util-token-standard-wallet': '1.0.0',
};
const INTERFACE_VERSION = '1.0.0';

const PACKAGES: ReadonlyMap<string, NetworkPackage> = new Map(
  [
    ...Object.entries(PACKAGE_IDS).map(
      ([name, packageId]) => [name, packageId, OTHER_VERSIONS[name] ?? VERSION] as const,
    ),
    ...Object.values(INTERFACE_PACKAGES).map((each) => [each.packageName, each.packageId, INTERFACE_VERSION] as const),
  ].map(([packageName, packageId, packageVersion]) => [packageName, { packageId, packageName, packageVersion }]),
);

export function packageNamed(name: string): NetworkPackage | null {
  return PACKAGES.get(name) ?? null;
}
