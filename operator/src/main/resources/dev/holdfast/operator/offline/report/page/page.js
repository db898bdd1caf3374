
'use strict';
(() => {
  const find = (id) => document.getElementById(id);
  const all = (selector, from) => Array.from((from || document).querySelectorAll(selector));
  const filter = find('filter');
  const articles = all('article');
  // The nodes that would take a pod are no part of it: each pod would be found by the name of each node.
  const texts = articles.map((it) => all('summary, .workload, .rules', it)
    .map((part) => part.textContent).join(' ').toLowerCase());
  const heading = find('pods');
  const selected = find('selected');
  const listed = selected.textContent;
  const showAll = find('all');
  let picked = null;

  const numbers = (cell) => (cell.dataset.pods || '').split(' ').filter((it) => it).map(Number);
  const rowsOf = (table) => Array.from(table.tBodies[0].rows);
  const rows = all('.matrix').flatMap(rowsOf).map((row) => ({
    row,
    name: row.cells[0].textContent.toLowerCase(),
    pods: Array.from(row.cells).flatMap(numbers),
  }));
  const strips = all('.strip').map((strip) => ({ strip, text: strip.textContent.toLowerCase() }));

  // What is shown: the rows, strips and pods that match the filter, and of the pods those of the picked cell.
  const show = () => {
    const text = filter.value.trim().toLowerCase();
    const found = texts.map((it) => it.includes(text));
    const named = new Set();
    rows.forEach((it) => {
      const byName = it.name.includes(text);
      it.row.hidden = !byName && !it.pods.some((number) => found[number]);
      if (byName) {
        it.pods.forEach((number) => named.add(number));
      }
    });
    all('.matrix').forEach(settle);
    strips.forEach((it) => { it.strip.hidden = !it.text.includes(text); });
    const ofCell = picked && new Set(numbers(picked));
    let pods = 0;
    articles.forEach((article, number) => {
      const matches = found[number] || named.has(number);
      article.hidden = !matches || (ofCell !== null && !ofCell.has(number));
      pods += article.hidden ? 0 : 1;
    });
    find('shown').textContent = text || picked
      ? pods + ' of ' + articles.length + ' listed pods shown' : '';
  };

  const pick = (cell) => {
    if (picked) {
      picked.classList.remove('picked');
      picked.removeAttribute('aria-selected');
    }
    picked = cell;
    showAll.hidden = !cell;
    if (!cell) {
      selected.textContent = listed;
      show();
      return;
    }
    cell.classList.add('picked');
    cell.setAttribute('aria-selected', 'true');
    const table = cell.closest('table');
    const domain = table.tHead.rows[0].cells[cell.cellIndex].textContent;
    const missing = Number(cell.dataset.missing || 0);
    selected.textContent = cell.parentNode.cells[0].textContent + ', ' + domain
      + (missing ? '; ' + missing + ' more affected here ' + (missing === 1 ? 'is' : 'are') + ' not listed' : '');
    show();
    articles.forEach((article) => { article.firstElementChild.open = false; });
    articles.filter((article) => !article.hidden).slice(0, 3)
      .forEach((article) => { article.firstElementChild.open = true; });
    heading.scrollIntoView({ block: 'nearest' });
  };

  const clear = () => {
    const cell = picked;
    filter.value = '';
    pick(null);
    if (cell) {
      focus(cell);
    }
  };

  // One cell of each table is in the tab order; arrows move from it.
  const focus = (cell) => {
    all('td[tabindex="0"]', cell.closest('table')).forEach((it) => { it.tabIndex = -1; });
    cell.tabIndex = 0;
    cell.focus();
  };
  const isShown = (cell) => {
    const table = cell.closest('table').classList;
    const column = cell.classList;
    return !cell.parentNode.hidden && !(table.contains('few') && column.contains('calm'))
      && !(table.contains('all') && column.contains('some'));
  };
  const settle = (table) => {
    const cells = all('td', table);
    const now = cells.find((cell) => cell.tabIndex === 0);
    if (!now || !isShown(now)) {
      const shown = cells.filter(isShown);
      cells.forEach((cell) => { cell.tabIndex = -1; });
      const first = shown.find((cell) => cell.dataset.pods !== undefined) || shown[0];
      if (first) {
        first.tabIndex = 0;
      }
    }
  };
  const next = (cell, down, right) => {
    const shown = rowsOf(cell.closest('table')).filter((row) => !row.hidden);
    let row = shown.indexOf(cell.parentNode) + down;
    let column = cell.cellIndex + right;
    while (shown[row] && column > 0 && shown[row].cells[column] && !isShown(shown[row].cells[column])) {
      row += down;
      column += right;
    }
    return shown[row] && column > 0 ? shown[row].cells[column] : null;
  };
  const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  all('.matrix').forEach((table) => {
    table.setAttribute('role', 'grid');
    settle(table);
    table.addEventListener('click', (event) => {
      const cell = event.target.closest('td[data-pods]');
      if (cell) {
        focus(cell);
        pick(cell === picked ? null : cell);
      }
    });
    table.addEventListener('keydown', (event) => {
      const cell = event.target.closest('td');
      if (!cell) {
        return;
      }
      if (ARROWS[event.key]) {
        const to = next(cell, ARROWS[event.key][0], ARROWS[event.key][1]);
        if (to) {
          focus(to);
        }
        event.preventDefault();
      } else if ((event.key === 'Enter' || event.key === ' ') && cell.dataset.pods !== undefined) {
        pick(cell);
        heading.focus();
        event.preventDefault();
      }
    });
  });

  all('.domains').forEach((button) => {
    const table = button.parentNode.querySelector('table');
    button.hidden = false;
    button.addEventListener('click', () => {
      const every = table.classList.toggle('all');
      table.classList.toggle('few', !every);
      button.setAttribute('aria-pressed', String(every));
      settle(table);
    });
  });

  filter.addEventListener('input', show);
  showAll.addEventListener('click', clear);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      clear();
    } else if (event.key === '/' && document.activeElement !== filter
        && !event.ctrlKey && !event.metaKey && !event.altKey) {
      filter.focus();
      filter.select();
      event.preventDefault();
    }
  });

  const theme = find('theme');
  const themes = ['system', 'light', 'dark'];
  theme.addEventListener('click', () => {
    const now = document.documentElement.dataset.theme || 'system';
    const then = themes[(themes.indexOf(now) + 1) % themes.length];
    document.documentElement.dataset.theme = then;
    theme.textContent = 'Theme: ' + then;
  });
  theme.hidden = false;
  document.querySelector('search').hidden = articles.length === 0;
})();
