import * as connecting from './connecting.mjs';
import * as delegation from './delegation.mjs';
import * as earlier from './earlier.mjs';
import * as earlierHistory from './earlier-history.mjs';
import * as history from './history.mjs';
import * as network from './network.mjs';
import * as preapproval from './preapproval.mjs';
import * as refusals from './refusals.mjs';
import * as transfers from './transfers.mjs';

/** Each story is a function of the server's address that throws when the server or the SDK fails. */
export const stories = {
  ...connecting,
  ...transfers,
  ...preapproval,
  ...delegation,
  ...history,
  ...network,
  ...refusals,
  ...earlier,
  ...earlierHistory,
};
