import { absent, total } from '../../lib/till';
export default function P() { return <p>{absent}{total}</p>; }
