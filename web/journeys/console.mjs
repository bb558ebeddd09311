// The console's journeys: of operators, reviewers and admins.
import activity from './console/activity.mjs';
import attention from './console/attention.mjs';
import delivery from './console/delivery.mjs';
import everywhere from './console/everywhere.mjs';
import giving from './console/giving.mjs';
import hold from './console/hold.mjs';
import moderation from './console/moderation.mjs';
import quarantine from './console/quarantine.mjs';
import sale from './console/sale.mjs';
import secondFactor from './console/secondFactor.mjs';
import statistics from './console/statistics.mjs';
import webhook from './console/webhook.mjs';

/** @type {import('./journey.js').Journey[]} */
export default [
  ...activity,
  ...attention,
  ...delivery,
  ...webhook,
  ...giving,
  ...sale,
  ...hold,
  ...secondFactor,
  ...quarantine,
  ...moderation,
  ...statistics,
  ...everywhere,
];
