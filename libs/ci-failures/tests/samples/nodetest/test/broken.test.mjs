import { test } from 'node:test';
const x = ;
