// Draws the page from /status, once a second. Numbers are in the table cells, bars only repeat them.
(() => {
  'use strict';
  const PHASES = ['produce', 'publish', 'commit', 'catch_up', 'fetch'];
  const SVG = 'http://www.w3.org/2000/svg';
  const page = document.documentElement;
  const byId = id => document.getElementById(id);
  const last = { status: null, at: 0 };
  let paused = false;

  const count = n => n.toLocaleString('en-US');
  const ms = s => {
    if (s === null) return '–';
    const v = s * 1000;
    return v.toFixed(v >= 100 ? 0 : v >= 10 ? 1 : 2);
  };
  const share = w => w.good + w.bad === 0 ? '–'
    : w.bad === 0 ? '100 %' : (Math.floor(w.good * 1e5 / (w.good + w.bad)) / 1e3).toFixed(3) + ' %';
  const span = s => s < 120 ? Math.floor(s) + ' s' : s < 7200 ? Math.floor(s / 60) + ' min' : Math.floor(s / 3600) + ' h';
  const plain = v => String(parseFloat(v.toPrecision(6)));
  const clock = iso => iso.slice(11, 19);
  const burn = w => w.burnRate === null ? '–' : w.burnRate.toFixed(w.burnRate >= 10 ? 0 : 2);

  const text = (node, value) => { if (node.textContent !== value) node.textContent = value; };
  const attributes = (node, values) => {
    for (const name in values) if (node.getAttribute(name) !== String(values[name])) node.setAttribute(name, values[name]);
    return node;
  };
  // What others wrote gets into the page as text only: by the children here and by text() above.
  const make = (name, values = {}, ...children) => {
    const node = attributes(document.createElement(name), values);
    node.append(...children);
    return node;
  };
  const choice = name => document.querySelector('input[name=' + name + ']:checked').value;

  // Rows by key: those that stay keep their nodes, so that a selection or a screen reader's place in the table survives.
  function rows(table, items, cells) {
    const body = table.tBodies[0];
    const classes = [...table.tHead.rows[0].cells].map(c => c.className);
    const old = new Map([...body.rows].map(r => [r.dataset.key, r]));
    items.forEach((item, i) => {
      const key = String(item.id);
      let row = old.get(key);
      if (!row) {
        row = make('tr', { 'data-key': key }, ...classes.map((c, n) => make(n ? 'td' : 'th', { class: c })));
        row.cells[0].scope = 'row';
        row.querySelectorAll('.g').forEach(cell => cell.setAttribute('aria-hidden', 'true'));
      }
      old.delete(key);
      if (body.rows[i] !== row) body.insertBefore(row, body.rows[i] || null);
      cells(item, row);
    });
    old.forEach(row => row.remove());
  }

  function fill(row, values) {
    values.forEach((value, i) => { if (value !== undefined) text(row.cells[i], value); });
  }

  function heading(cell, main, below) {
    if (!cell.lastElementChild) cell.append(' ', make('small'));
    if (cell.firstChild.data !== main) cell.firstChild.data = main;
    text(cell.lastElementChild, below);
  }

  // The phases in the cells from the fourth on; the longest one is marked.
  function phases(row, seconds) {
    const most = Math.max(...PHASES.map(p => seconds[p]));
    PHASES.forEach((p, i) => {
      text(row.cells[3 + i], ms(seconds[p]));
      row.cells[3 + i].classList.toggle('top', most > 0 && seconds[p] === most);
    });
  }

  // Chained: one phase begins where the last ended. Percentiles do not add up, so theirs all begin at zero.
  function bars(cell, seconds, total, chained, lanes, scale, target) {
    let svg = cell.firstElementChild;
    const height = lanes ? 2 + PHASES.length * 8 : 16;
    if (!svg) {
      svg = attributes(document.createElementNS(SVG, 'svg'), { height, 'aria-hidden': 'true' });
      ['all', ...PHASES].forEach(p => svg.append(attributes(document.createElementNS(SVG, 'rect'), { class: p })));
      svg.append(document.createElementNS(SVG, 'line'));
      cell.append(svg);
    }
    const percent = s => Math.min(100, Math.max(0, s / scale * 100)).toFixed(3) + '%';
    attributes(svg.children[0], { x: 0, y: 0, height, width: percent(total || 0) });
    let x = 0;
    PHASES.forEach((p, i) => {
      const s = seconds[p] || 0;
      attributes(svg.children[i + 1],
        { x: percent(chained ? x : 0), width: percent(s), y: lanes ? 1 + i * 8 : 2, height: lanes ? 7 : 12 });
      x += s;
    });
    attributes(svg.lastChild, { x1: percent(target), x2: percent(target), y1: 0, y2: height,
      visibility: target <= scale ? 'visible' : 'hidden' });
  }

  // The least of 1, 2, 3, 5 times a power of ten that holds them all: steady while values jitter.
  function scaleOf(table, values) {
    const most = Math.max(1e-6, ...values.filter(v => v !== null));
    const ten = 10 ** Math.floor(Math.log10(most));
    const scale = [1, 2, 3, 5, 10].map(m => m * ten).find(s => s >= most * 0.9999);
    text(table.tHead.querySelector('.g span'), plain(scale * 1000) + ' ms');
    return scale;
  }

  function brokers(table, cluster, shown) {
    const mean = shown === 'mean';
    const facts = b => b[shown + 'PhaseSeconds'];
    const sum = b => facts(b).fetch === null ? null : PHASES.reduce((s, p) => s + facts(b)[p], 0);
    const whole = b => mean ? sum(b) : b.endToEnd[shown + 'Seconds'];
    const scale = scaleOf(table, cluster.brokers.flatMap(b => [whole(b), ...PHASES.map(p => facts(b)[p])]));
    text(table.caption, (mean ? 'Means' : shown === 'p50' ? 'Medians' : '99th percentiles') + ' of the last ' +
      (cluster.brokers.length ? cluster.brokers[0].windowSeconds : 60) + ' s in milliseconds, by leader. ' + (mean
      ? 'Means add up: each phase begins where the one before ends.'
      : 'Percentiles of phases do not add up to that of the whole: every bar begins at zero.'));
    rows(table, cluster.brokers, (b, row) => {
      heading(row.cells[0], 'broker ' + b.id, (b.host ? b.host + ':' + b.port : 'address unknown') + (b.partition === null
        ? ', not measured' : b.ready ? ', partition ' + b.partition
        : b.leads ? ', no probe came back recently' : ', does not lead partition ' + b.partition));
      row.cells[0].classList.toggle('off', b.partition !== null && !b.ready);
      fill(row, [undefined, ms(whole(b))]);
      phases(row, facts(b));
      bars(row.cells[2], facts(b), whole(b), mean, true, scale, cluster.slo.targetSeconds);
      [count(b.endToEnd.count), count(b.inFlight), count(b.outcomes.late), count(b.outcomes.lost),
        count(b.outcomes.send_failed), ms(b.clockUncertaintySeconds)].forEach((v, i) => text(row.cells[3 + PHASES.length + i], v));
    });
  }

  // A probe's way through its leader, where that reports it.
  function steps(probe) {
    if (probe.phaseSource !== 'broker') return 'not reported';
    const nanos = probe.nanosSinceDue;
    const took = (name, from, to) => from in nanos && to in nanos ? [name + ' ' + ms((nanos[to] - nanos[from]) / 1e9)] : [];
    const followers = Object.keys(nanos).filter(step => step.startsWith('follower_')).sort((a, b) => nanos[a] - nanos[b]);
    return [...took('request queue', 'received', 'dequeued'), ...took('handler', 'dequeued', 'append_began'),
      ...took('append', 'append_began', 'appended'),
      ...followers.flatMap(f => took('follower ' + f.slice(9) + ' after', 'appended', f)),
      ...took('committed after', 'appended', 'committed'),
      ...took('answer', 'committed', 'answered')].join(', ');
  }

  function slow(table, cluster, order) {
    const list = [...cluster.slowestProbes];
    if (order === 'latest') list.sort((a, b) => a.due < b.due ? 1 : -1);
    const scale = scaleOf(table, list.map(p => p.endToEndNanos / 1e9));
    rows(table, list, (p, row) => {
      const seconds = Object.fromEntries(PHASES.map(name => [name, p.phaseNanos[name] / 1e9]));
      heading(row.cells[0], clock(p.due), span((Date.parse(last.status.at) - Date.parse(p.due)) / 1e3) + ' ago');
      row.cells[0].title = p.due;
      fill(row, [undefined, ms(p.endToEndNanos / 1e9)]);
      phases(row, seconds);
      bars(row.cells[2], seconds, p.endToEndNanos / 1e9, true, false, scale, cluster.slo.targetSeconds);
      const notes = [];
      if (p.outcome !== 'delivered') notes.push(p.outcome);
      if (p.stalledNanos > 0) notes.push('canary stalled for ' + ms(p.stalledNanos / 1e9) + ' ms');
      if (p.waitedNanos >= 1e6) notes.push('waited ' + ms(p.waitedNanos / 1e9) + ' ms behind others');
      heading(row.cells[3 + PHASES.length], String(p.leader), p.partition + ' @ ' + p.offset);
      [steps(p), notes.join(', '), p.id].forEach((v, i) => text(row.cells[4 + PHASES.length + i], v));
    });
  }

  function undelivered(table, cluster) {
    const after = n => n === null ? 'never' : ms(n / 1e9) + ' ms';
    rows(table, cluster.undeliveredProbes, (p, row) => {
      heading(row.cells[0], clock(p.due), span((Date.parse(last.status.at) - Date.parse(p.due)) / 1e3) + ' ago');
      fill(row, [undefined, p.outcome, String(p.leader), String(p.partition), after(p.dispatchedNanosSinceDue),
        after(p.acknowledgedNanosSinceDue), p.id]);
    });
    table.closest('.undelivered').hidden = cluster.undeliveredProbes.length === 0;
  }

  const SLO = { met: 'Met', missed: 'Missed', recovering: 'Recovering', unknown: 'No probe judged' };

  function tiles(box, cluster) {
    const tile = (name, main, below, state) => {
      const node = box.querySelector('.' + name);
      text(node.querySelector('b'), main);
      text(node.querySelector('p'), below);
      if (state) node.className = 'tile ' + name + ' ' + state;
    };
    const slo = cluster.slo;
    tile('slo', SLO[slo.state], plain(slo.objectiveRatio * 100) + ' % within ' + plain(slo.targetSeconds * 1000) + ' ms', slo.state);
    const own = w => w.stalledBad === 0 ? '' : ', ' + count(w.stalledBad) + " by the canary's own stalls";
    const window = w => count(w.bad) + ' bad of ' + count(w.good + w.bad) + ' in ' + span(w.seconds) + own(w) + '; burn rate ' + burn(w);
    tile('five', share(slo.fiveMinutes), window(slo.fiveMinutes));
    tile('hour', share(slo.hour), window(slo.hour));
    // By leader and in their order: a leader that waits for another broker is as slow as that one,
    // so the slowest leader need not be the cause.
    const known = cluster.brokers.filter(b => b.endToEnd.p99Seconds !== null);
    if (!known.length) return tile('leaders', '–', 'no probe came back in the last minute');
    const p99 = known.map(b => b.endToEnd.p99Seconds);
    const [least, most] = [Math.min(...p99), Math.max(...p99)].map(ms);
    tile('leaders', (least === most ? least : least + ' to ' + most) + ' ms', known.length > 6 ? known.length + ' leaders; each is in the table below'
      : known.map(b => 'leader ' + b.id + ': ' + ms(b.endToEnd.p99Seconds) + ' ms').join(', '));
  }

  function problems(list, cluster) {
    const lines = cluster.problems.map(p => p.key + ': ' + p.message);
    if ([...list.children].map(li => li.textContent).join('\n') === lines.join('\n')) return;
    list.replaceChildren(...lines.map(line => make('li', {}, line)));
  }

  // Made by the canary; hidden while nobody is suspected.
  function suspects(line, cluster) {
    const of = last.status.suspects.find(s => s.cluster === cluster.name);
    line.hidden = !of || of.suspects.length === 0;
    text(line, line.hidden ? '' : of.sentence);
  }

  function facts(list, cluster) {
    const topic = cluster.topic;
    const lines = [
      ['cluster id', cluster.clusterId === null ? 'unknown' : cluster.clusterId],
      ['topic', topic === null ? 'unknown'
        : topic.name + ', ' + topic.partitions + ' partitions, ' + topic.replicationFactor + ' replicas, ' + topic.ownership],
      ...Object.entries(cluster.settings).filter(([, value]) => value).map(([name, value]) => [name.replaceAll('_', ' '), value]),
      ['seed of the schedule', String(cluster.seed)],
      ['lanes', String(cluster.lanes)],
    ];
    if ([...list.children].map(fact => fact.textContent).join('\n') === lines.map(line => line.join('')).join('\n')) return;
    list.replaceChildren(...lines.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value))));
  }

  const column = (classes, name) => make('th', { scope: 'col', class: classes }, name);
  const timed = first => [column('', first), column('n', 'End to end'),
    make('th', { scope: 'col', class: 'g', 'aria-hidden': 'true' }, '0', make('span')), ...PHASES.map(p => column('n', p))];
  const table = (classes, label, caption, columns) =>
    make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label },
      make('table', { class: classes }, make('caption', {}, caption), make('thead', {}, make('tr', {}, ...columns)), make('tbody')));
  const tile = (name, title) => make('div', { class: 'tile ' + name }, make('h3', {}, title), make('b'), make('p'));
  const titleOf = cluster => cluster.profile === 'default' ? 'cluster ' + cluster.name : 'cluster ' + cluster.name + ', profile ' + cluster.profile;

  // A cluster's part, for one profile: all that stays as it is while figures change.
  function section(cluster, i) {
    const key = (classes, name) => make('span', {}, make('i', { class: classes }), name);
    return make('section', { id: 'c' + i, 'aria-label': titleOf(cluster) },
      make('h2', {}, cluster.name + ' ', make('small', {}, 'profile ' + cluster.profile), ' ', make('span', { class: 'pill' })),
      make('ul', { class: 'problems', 'aria-live': 'polite' }),
      make('p', { class: 'suspects', 'aria-live': 'polite', hidden: '' }),
      make('div', { class: 'tiles' }, tile('slo', 'Objective'), tile('five', 'Good, last 5 minutes'), tile('hour', 'Good, last hour'),
        tile('leaders', 'p99 by leader, last minute')),
      make('h3', {}, 'Where the time goes, by broker'),
      make('p', { class: 'legend' }, ...PHASES.map(p => key(p, p)), key('e', 'end to end'), key('t', 'target')),
      table('brokers', 'Latency by broker', '', [...timed('Broker'),
        ...['Probes', 'In flight', 'Late', 'Lost', 'Not sent', 'Clock ±'].map(name => column('n', name))]),
      make('h3', {}, 'Slow probes of the last hour'),
      table('slow', 'Slow probes',
        'The slowest of the last hour, one probe a row, in milliseconds; each phase begins where the one before ends.',
        [...timed('Due'), column('', 'Leader'), column('w', 'In the leader'), column('w', 'Notes'), column('m', 'Probe')]),
      make('div', { class: 'undelivered' }, make('h3', {}, 'Probes lost or not sent, last hour'),
        table('', 'Probes lost or not sent', 'How long after they were due they were dispatched and acknowledged.',
          [column('', 'Due'), column('', 'Outcome'), ...['Leader', 'Partition', 'Dispatched after', 'Acknowledged after']
            .map(name => column('n', name)), column('m', 'Probe')])),
      make('details', { open: '' }, make('summary', {}, 'Cluster and configuration'), make('dl')));
  }

  const sections = () => [...document.querySelectorAll('section')];

  // Other clusters than before: the sections are made again.
  const shape = status => JSON.stringify(status.clusters.map(c => [c.name, c.profile]));

  function build(status) {
    if (page.dataset.shape === shape(status)) return;
    page.dataset.shape = shape(status);
    sections().forEach(old => old.remove());
    byId('main').append(...status.clusters.map(section));
    const links = status.clusters.map((c, i) => make('a', { href: '#c' + i }, titleOf(c)));
    const contents = document.querySelector('nav');
    contents.hidden = links.length < 2;
    contents.replaceChildren(make('p', {}, ...links.flatMap((link, i) => i ? [' · ', link] : [link])));
  }

  function draw() {
    const status = last.status;
    if (!status) return;
    build(status);
    const shown = choice('shown');
    const order = choice('order');
    sections().forEach((section, i) => {
      const cluster = status.clusters[i];
      const pill = section.querySelector('.pill');
      text(pill, cluster.state);
      pill.className = 'pill ' + cluster.state;
      problems(section.querySelector('.problems'), cluster);
      suspects(section.querySelector('.suspects'), cluster);
      tiles(section.querySelector('.tiles'), cluster);
      brokers(section.querySelector('.brokers'), cluster, shown);
      slow(section.querySelector('.slow'), cluster, order);
      undelivered(section.querySelector('.undelivered table'), cluster);
      facts(section.querySelector('dl'), cluster);
    });
    const worst = ['missed', 'recovering', 'unknown', 'met'].find(s => status.clusters.some(c => c.slo.state === s));
    document.title = (worst ? 'SLO ' + SLO[worst].toLowerCase() + ' · ' : '') + 'Phasewise canary';
    text(byId('about'), status.version + (status.site ? ', site ' + status.site : '') + ', up since ' + status.startedAt.slice(0, 16) + 'Z');
    text(byId('at'), clock(status.at) + ' UTC');
    page.dataset.at = status.at;
  }

  async function look() {
    try {
      const answer = await fetch('status', { cache: 'no-store', signal: AbortSignal.timeout(2500) });
      if (!answer.ok) throw new Error(answer.status);
      last.status = await answer.json();
      last.at = performance.now();
      draw();
    } catch (e) {
      // Shown as stale below; the next look may succeed.
    }
    stale();
  }

  function stale() {
    const old = !paused && performance.now() - last.at > 3000;
    byId('stale').hidden = !old;
    text(byId('stale'), old ? 'The canary does not answer' + (last.status ? '; what follows is from ' + clock(last.status.at) : '') + '.' : '');
    page.classList.toggle('old', old);
  }

  async function run() {
    for (;;) {
      const began = performance.now();
      if (!paused && !document.hidden) await look();
      await new Promise(done => setTimeout(done, Math.max(100, 1000 - (performance.now() - began))));
    }
  }

  for (const input of document.querySelectorAll('input')) {
    if (sessionStorage.getItem(input.name) === input.value) input.checked = true;
    input.addEventListener('change', () => { sessionStorage.setItem(input.name, input.value); draw(); });
  }
  byId('pause').addEventListener('click', () => {
    paused = !paused;
    text(byId('pause'), paused ? 'Resume' : 'Pause');
    text(byId('live'), paused ? 'paused at' : 'live,');
    if (!paused) look();
  });
  document.querySelector('.tools').hidden = false;
  run();
})();
