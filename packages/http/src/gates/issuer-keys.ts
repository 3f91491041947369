import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { factsOf, type Logger } from '../observe/logger.js';
import { Problem } from '../problem.js';

/** While the fetch fails, tokens get 503, because they may be valid. */
export function issuerKeys(jwksUrl: string, logger: Logger): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl));
  let isReachable = true;
  return async (header, token) => {
    try {
      const key = await keys(header, token);
      isReachable = true;
      return key;
    } catch (error) {
      if (isFaultOfToken(error)) throw error;
      if (isReachable)
        logger.error({ jwksUrl, ...factsOf(error), reason: reasonOf(error) }, 'the JWKS cannot be fetched');
      isReachable = false;
      throw new Problem(503, 'the keys of the issuer cannot be fetched; try again');
    }
  };
}

function isFaultOfToken(error: unknown): boolean {
  return [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported].some(
    (kind) => error instanceof kind,
  );
}

/** `fetch` puts the reason into the error's cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
