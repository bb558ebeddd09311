import activity from './zh/activity';
import delivery from './zh/delivery';
import fields from './zh/fields';
import running from './zh/running';
import sales from './zh/sales';
import shell from './zh/shell';

export default { ...shell, ...activity, ...delivery, ...fields, ...running, ...sales };
