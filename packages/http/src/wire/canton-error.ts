import { z } from '@hono/zod-openapi';

export const cantonErrorSchema = z
  .object({
    code: z.string(),
    cause: z.string(),
    correlationId: z.string().nullish(),
    traceId: z.string().nullish(),
    context: z.record(z.string(), z.string()),
    resources: z.array(z.tuple([z.string(), z.string()])).optional(),
    errorCategory: z.int(),
    grpcCodeValue: z.int().optional(),
    retryInfo: z.string().nullish(),
    definiteAnswer: z.boolean().nullish(),
  })
  .openapi('JsCantonError');

/** The body of an error of the JSON Ledger API. */
export type CantonError = z.infer<typeof cantonErrorSchema>;

/** Source: specification of the API §8.2. */
const CODES = {
  INVALID_ARGUMENT: { status: 400, grpc: 3, category: 8 },
  COMMAND_PREPROCESSING_FAILED: { status: 400, grpc: 3, category: 8 },
  DAML_AUTHORIZATION_ERROR: { status: 400, grpc: 3, category: 8 },
  INVALID_DEDUPLICATION_PERIOD: { status: 400, grpc: 9, category: 9 },
  DAML_FAILURE: { status: 400, grpc: 9, category: 9 },
  NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT: { status: 400, grpc: 9, category: 9 },
  UNKNOWN_CONTRACT_SYNCHRONIZERS: { status: 400, grpc: 9, category: 9 },
  PARTY_NOT_KNOWN_ON_LEDGER: { status: 404, grpc: 5, category: 11 },
  CONTRACT_NOT_FOUND: { status: 404, grpc: 5, category: 11 },
  CONTRACT_EVENTS_NOT_FOUND: { status: 404, grpc: 5, category: 11 },
  UPDATE_NOT_FOUND: { status: 404, grpc: 5, category: 11 },
  USER_NOT_FOUND: { status: 404, grpc: 5, category: 11 },
  NOT_FOUND: { status: 404, grpc: 5, category: 11 },
  PACKAGE_NAMES_NOT_FOUND: { status: 404, grpc: 5, category: 11 },
  PARTY_NOT_FOUND: { status: 404, grpc: 5, category: 11 },
  INVALID_USER_UPDATE_REQUEST: { status: 400, grpc: 3, category: 8 },
  INVALID_PARTY_DETAILS_UPDATE_REQUEST: { status: 400, grpc: 3, category: 8 },
  TOO_MANY_USER_RIGHTS: { status: 400, grpc: 9, category: 9 },
  CONCURRENT_USER_UPDATE_DETECTED: { status: 409, grpc: 10, category: 2 },
  CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED: { status: 409, grpc: 10, category: 2 },
  EXTERNAL_PARTY_ALREADY_EXISTS: { status: 409, grpc: 6, category: 10 },
  USER_ALREADY_EXISTS: { status: 409, grpc: 6, category: 10 },
  DUPLICATE_COMMAND: { status: 409, grpc: 6, category: 10 },
  SEQUENCER_REQUEST_FAILED: { status: 409, grpc: 10, category: 2 },
  ABORTED: { status: 409, grpc: 10, category: 2 },
  JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED: { status: 413, grpc: 10, category: 2 },
  OFFSET_AFTER_LEDGER_END: { status: 400, grpc: 11, category: 12 },
  OFFSET_OUT_OF_RANGE: { status: 400, grpc: 9, category: 9 },
  REQUEST_REFUSED: { status: 400, grpc: 3, category: 8 },
  UNIMPLEMENTED: { status: 501, grpc: 12, category: 14 },
  SERVICE_UNAVAILABLE: { status: 503, grpc: 14, category: 1 },
  INTERNAL_ERROR: { status: 500, grpc: 13, category: 4 },
} as const;

export type CantonErrorCode = keyof typeof CODES;

export function statusOfCode(code: CantonErrorCode): (typeof CODES)[CantonErrorCode]['status'] {
  return CODES[code].status;
}

export interface CantonErrorDetails {
  readonly context?: Readonly<Record<string, string>>;
  readonly resources?: readonly (readonly [string, string])[];
}

export function cantonError(code: CantonErrorCode, cause: string, details: CantonErrorDetails = {}): CantonError {
  const { grpc, category } = CODES[code];
  const { context = {}, resources = [] } = details;
  return {
    ...blank,
    code,
    cause,
    context,
    resources: resources.map(([kind, id]): [string, string] => [kind, id]),
    errorCategory: category,
    grpcCodeValue: grpc,
  };
}

/** Source: specification of the API §8.2. */
export function redacted(status: 401 | 403): CantonError {
  return {
    ...blank,
    code: 'NA',
    cause: 'A security-sensitive error has been received',
    errorCategory: -1,
    grpcCodeValue: status === 401 ? 16 : 7,
  };
}

const blank = {
  correlationId: null,
  traceId: null,
  context: {},
  resources: [],
  retryInfo: null,
  definiteAnswer: null,
};
