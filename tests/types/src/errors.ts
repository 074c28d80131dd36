import {
  createClient,
  errorInfo,
  HTTPError,
  isAbortError,
  isHTTPError,
  isNetworkError,
  isSteadfetchError,
  isTimeoutError,
  SteadfetchError,
  type AttemptInfo,
  type ErrorCode,
  type HTTPError as HTTPErrorType,
  type Outcome,
  type SteadfetchError as SteadfetchErrorType,
} from 'steadfetch';
import { assert, type Equal } from './equal.js';

declare const caught: unknown;

// By code: each has the fields that it surely has.
if (isSteadfetchError(caught)) {
  assert<Equal<typeof caught, SteadfetchErrorType>>();
  assert<Equal<typeof caught.outcome, Outcome>>();
  assert<Equal<typeof caught.attempts, readonly AttemptInfo[]>>();
  switch (caught.code) {
    case 'HTTP_ERROR':
      assert<Equal<typeof caught, HTTPErrorType<unknown>>>();
      assert<Equal<typeof caught.status, number>>();
      assert<Equal<typeof caught.response, Response>>();
      assert<Equal<typeof caught.name, 'HTTPError'>>();
      break;
    case 'TIMEOUT':
    case 'DEADLINE_EXCEEDED':
      assert<Equal<typeof caught.limit, number>>();
      assert<Equal<typeof caught.name, 'TimeoutError'>>();
      break;
    case 'UNEXPECTED_RESPONSE':
      void caught.issues?.[0]?.message;
      break;
    // @ts-expect-error - no such code
    case 'BROKEN':
      break;
    default:
      assert<Equal<typeof caught.status, number | undefined>>();
  }
}

// The list is closed: a switch that leaves none out ends in never.
function words(code: ErrorCode): string {
  switch (code) {
    case 'INVALID_OPTION':
    case 'INVALID_REQUEST':
    case 'UNSUPPORTED':
    case 'CALLBACK_ERROR':
    case 'NETWORK_ERROR':
    case 'TIMEOUT':
    case 'DEADLINE_EXCEEDED':
    case 'QUEUE_TIMEOUT':
    case 'QUEUE_FULL':
    case 'CIRCUIT_OPEN':
    case 'ABORTED':
    case 'HTTP_ERROR':
    case 'PARSE_ERROR':
    case 'UNEXPECTED_RESPONSE':
    case 'RESPONSE_TOO_LARGE':
    case 'AUTH_REFRESH_FAILED':
    case 'JOB_FAILED':
    case 'LOAD_FAILED':
    case 'ENGINE_DEAD':
      return code;
    default:
      return code satisfies never;
  }
}
void words;

// By guard and by class.
if (isHTTPError<{ detail: string }>(caught)) assert<Equal<typeof caught.data, { detail: string } | undefined>>();
if (isTimeoutError(caught)) {
  assert<Equal<typeof caught.code, 'TIMEOUT' | 'DEADLINE_EXCEEDED' | 'QUEUE_TIMEOUT'>>();
}
if (isAbortError(caught)) assert<Equal<typeof caught.code, 'ABORTED'>>();
if (isNetworkError(caught)) assert<Equal<typeof caught.code, 'NETWORK_ERROR'>>();
if (caught instanceof HTTPError) assert<Equal<typeof caught.status, number>>();
if (caught instanceof SteadfetchError && caught.code === 'ABORTED') assert<Equal<typeof caught.name, 'AbortError'>>();
// @ts-expect-error - only a call makes them
new SteadfetchError('text');

// Of the platform's own errors too.
assert<Equal<ReturnType<typeof errorInfo>, SteadfetchErrorType | undefined>>();

// As a value.
const { success, data, error } = await createClient().get('users/1').result<{ name: string }>();
if (success) {
  assert<Equal<typeof data, { name: string }>>();
  assert<Equal<typeof error, undefined>>();
} else {
  assert<Equal<typeof data, undefined>>();
  assert<Equal<typeof error, SteadfetchErrorType>>();
}
const whole = await createClient().get<number>('count').result();
if (whole.success) assert<Equal<typeof whole.response.ok, boolean>>();
else assert<Equal<typeof whole.response, Response | undefined>>();
