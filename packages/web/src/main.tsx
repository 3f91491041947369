import { render } from 'preact';
import { App } from './app.js';
import { connect } from './store/live.js';
import { readOperator } from './store/network.js';

const place = document.getElementById('page');
if (place) render(<App />, place);
connect();
void readOperator();
