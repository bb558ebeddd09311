// The console's journeys: of operators, reviewers and admins.
import activity from './console/activity.mjs';
import delivery from './console/delivery.mjs';
import everywhere from './console/everywhere.mjs';
import sale from './console/sale.mjs';

export default [...activity, ...delivery, ...sale, ...everywhere];
