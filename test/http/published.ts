import { ScanClient, ScanProxyClient, ValidatorInternalClient } from '@canton-network/core-splice-client';
import { TokenStandardClient } from '@canton-network/core-token-standard';
import type { paths as ScanPaths } from '../../node_modules/@canton-network/core-splice-client/dist/generated-clients/scan.js';
import type { paths as ProxyPaths } from '../../node_modules/@canton-network/core-splice-client/dist/generated-clients/scan-proxy.js';
import type { paths as ValidatorPaths } from '../../node_modules/@canton-network/core-splice-client/dist/generated-clients/validator-internal.js';

/*
 * The published clients of the network. Under Node's module resolution their declarations lose the types of paths; this file restores
 * them.
 */

type Of<Paths, Method extends string> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Method, object> ? Path : never;
}[keyof Paths];
type Answer<Operation> = Operation extends { responses: { 200: { content: { 'application/json': infer Body } } } }
  ? Body
  : unknown;
type Request<Operation> = Operation extends { requestBody?: infer Sent }
  ? NonNullable<Sent> extends { content: { 'application/json': infer Body } }
    ? Body
    : undefined
  : undefined;
interface Params {
  readonly path?: Record<string, string>;
  readonly query?: Record<string, string>;
}

interface Typed<Paths> {
  get<Path extends Of<Paths, 'get'>>(
    path: Path,
    params?: Params,
  ): Promise<Paths[Path] extends { get: infer Operation } ? Answer<Operation> : never>;
  post<Path extends Of<Paths, 'post'>>(
    path: Path,
    body: Paths[Path] extends { post: infer Operation } ? Request<Operation> : never,
    params?: Params,
  ): Promise<Paths[Path] extends { post: infer Operation } ? Answer<Operation> : never>;
}
type With<Client, Paths> = Omit<Client, 'get' | 'post'> & Typed<Paths>;

const quiet = { debug: silence, info: silence, warn: silence, error: silence };
function silence(): void {}

const tokens = (accessToken: string): ConstructorParameters<typeof ScanClient>[2] => ({
  getAccessToken: () => Promise.resolve(accessToken),
  getAuthContext: () => Promise.resolve({ userId: 'somebody', accessToken }),
});

/** Creates each client for the server at a URL. */
export const published = {
  scan: (url: string): With<ScanClient, ScanPaths> =>
    new ScanClient(new URL(`${url}/api/scan`), quiet, tokens('')) as never,
  proxy: (url: string, token: string): With<ScanProxyClient, ProxyPaths> =>
    new ScanProxyClient(new URL(`${url}/api/validator`), quiet, tokens(token)) as never,
  validator: (url: string, token: string): With<ValidatorInternalClient, ValidatorPaths> =>
    new ValidatorInternalClient(new URL(`${url}/api/validator`), quiet, tokens(token)) as never,
  /** @param url includes the path of the registry */
  registry: (url: string, token = ''): TokenStandardClient => new TokenStandardClient(url, quiet, tokens(token)),
};
