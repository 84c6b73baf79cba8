import { missing } from './nowhere';
import gone from 'no-such-package';
export default function P() { return <p>{missing}{gone}</p>; }
