
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
  // What is picked: a cell of a table or a tile of the map, and of a tile perhaps one pod only.
  let picked = null;
  let only = null;
  const isButton = (element) => element !== null && element.tagName === 'BUTTON';
  const isTile = (element) => element !== null && element.classList.contains('tile');
  const name = (element) => (isTile(element) ? element.querySelector('.vh').textContent.replace(/,? *$/, '')
    : isButton(element) ? element.textContent : place(element));
  const place = (cell) => {
    const header = cell.closest('table').tHead.rows[0].cells[cell.cellIndex];
    return cell.parentNode.cells[0].textContent + ', ' + (header.dataset.name || header.textContent);
  };

  const numbers = (cell) => (cell.dataset.pods || '').split(' ').filter((it) => it).map(Number);
  const rowsOf = (table) => Array.from(table.tBodies[0].rows);
  const rows = all('.matrix').flatMap(rowsOf).map((row) => ({
    row,
    name: row.cells[0].textContent.toLowerCase(),
    pods: Array.from(row.cells).flatMap(numbers),
  }));
  const tiles = all('.tile').map((tile) => ({
    tile,
    text: (tile.dataset.name + '\n' + tile.dataset.names).toLowerCase(),
    pods: numbers(tile),
  }));
  // The strips, and the rows of tables that no pod of the page belongs to.
  const strips = all('.strip, .list tbody tr').map((strip) => ({ strip, text: strip.textContent.toLowerCase() }));

  // What is shown: the rows, strips and pods that match the filter, and of the pods those of the picked cell.
  const show = () => {
    const text = filter.value.trim().toLowerCase();
    const ofCell = picked && new Set(only === null ? numbers(picked) : [only]);
    const ofTile = isButton(picked) ? ofCell : null;
    const found = texts.map((it) => it.includes(text));
    const named = new Set();
    rows.forEach((it) => {
      const byName = it.name.includes(text);
      it.row.hidden = (!byName && !it.pods.some((number) => found[number]))
        || (ofTile !== null && !it.pods.some((number) => ofTile.has(number)));
      if (byName) {
        it.pods.forEach((number) => named.add(number));
      }
    });
    all('.matrix').forEach(settle);
    strips.forEach((it) => { it.strip.hidden = !it.text.includes(text); });
    let pods = 0;
    articles.forEach((article, number) => {
      const matches = found[number] || named.has(number);
      article.hidden = !matches || (ofCell !== null && !ofCell.has(number));
      pods += article.hidden ? 0 : 1;
    });
    tiles.forEach((it) => {
      it.tile.classList.toggle('dim', it.tile !== picked && ((text !== '' && !it.text.includes(text)
          && !it.pods.some((number) => !articles[number].hidden))
        || (picked !== null && (isTile(picked) || !it.pods.some((number) => ofCell.has(number))))));
    });
    find('shown').textContent = text || picked
      ? pods + ' of ' + articles.length + ' listed pods shown' : '';
  };

  const pick = (cell, number) => {
    if (picked) {
      picked.classList.remove('picked');
      picked.removeAttribute(isButton(picked) ? 'aria-pressed' : 'aria-selected');
    }
    picked = cell;
    only = number === undefined ? null : number;
    showAll.hidden = !cell;
    if (!cell) {
      selected.textContent = listed;
      show();
      return;
    }
    cell.classList.add('picked');
    cell.setAttribute(isButton(cell) ? 'aria-pressed' : 'aria-selected', 'true');
    const missing = Number(cell.dataset.missing || 0);
    selected.textContent = name(cell)
      + (missing ? '; ' + missing + ' more affected here ' + (missing === 1 ? 'is' : 'are') + ' not listed' : '');
    show();
    articles.forEach((article) => { article.firstElementChild.open = false; });
    articles.filter((article) => !article.hidden).slice(0, 3)
      .forEach((article) => { article.firstElementChild.open = true; });
    // The map and the causes stay in sight, where a reader goes from one to the next.
    if (!isButton(cell) || only !== null) {
      heading.scrollIntoView({ block: 'nearest' });
    }
  };

  const clear = () => {
    const cell = picked;
    filter.value = '';
    pick(null);
    if (isTile(cell)) {
      focusTile(cell);
    } else if (isButton(cell)) {
      cell.focus();
    } else if (cell) {
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

  // The map: one tile is in the tab order, arrows move from it, and a mark says which pod it is.
  // A pod and the one that takes its place may have one name, on two tiles.
  const titles = articles.map((it) => it.querySelector('h3').textContent);
  const articleOf = (tile, pod) => numbers(tile).find((number) => titles[number] === pod);
  const columns = 10;
  const podAt = (event) => {
    const tile = event.target.closest('.tile');
    const picture = tile && tile.querySelector('svg').getBoundingClientRect();
    const side = picture ? picture.width / columns : 1;
    const column = picture ? Math.floor((event.clientX - picture.left) / side) : -1;
    const row = picture ? Math.floor((event.clientY - picture.top) / side) : -1;
    return column < 0 || column >= columns || row < 0
      ? '' : tile.dataset.names.split('\n')[row * columns + column] || '';
  };
  const focusTile = (tile) => {
    tiles.forEach((it) => { it.tile.tabIndex = it.tile === tile ? 0 : -1; });
    tile.focus();
  };
  tiles.forEach((it, at) => {
    it.tile.tabIndex = at === 0 ? 0 : -1;
  });
  all('.zones').forEach((map) => {
    const pointed = map.closest('section').querySelector('.pointed');
    const say = (tile, pod) => {
      pointed.textContent = (pod ? pod + ' on ' : '') + tile.dataset.name;
    };
    map.addEventListener('pointermove', (event) => {
      const tile = event.target.closest('.tile');
      if (tile) {
        say(tile, podAt(event));
      }
    });
    map.addEventListener('focusin', (event) => say(event.target, ''));
    map.addEventListener('click', (event) => {
      const tile = event.target.closest('.tile');
      if (tile) {
        const number = event.detail > 0 ? articleOf(tile, podAt(event)) : undefined;
        const again = tile === picked && number === (only === null ? undefined : only);
        focusTile(tile);
        pick(again ? null : tile, again ? undefined : number);
      }
    });
    map.addEventListener('keydown', (event) => {
      const arrow = ARROWS[event.key];
      const from = event.target.getBoundingClientRect();
      if (arrow) {
        const near = tiles.map((it) => ({ tile: it.tile, box: it.tile.getBoundingClientRect() }))
          .map((it) => ({ tile: it.tile, down: it.box.top - from.top, right: it.box.left - from.left }))
          .filter((it) => (arrow[0] ? it.down * arrow[0] > 1 : it.right * arrow[1] > 1 && Math.abs(it.down) < from.height))
          .sort((one, other) => (arrow[0]
            ? Math.abs(one.down) - Math.abs(other.down) || Math.abs(one.right) - Math.abs(other.right)
            : Math.abs(one.right) - Math.abs(other.right) || Math.abs(one.down) - Math.abs(other.down)));
        if (near.length > 0) {
          focusTile(near[0].tile);
        }
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

  all('.group').forEach((button) => button.addEventListener('click',
    () => pick(button === picked ? null : button)));

  // A namespace of the first table is a text for the filter.
  all('[data-filter]').forEach((button) => button.addEventListener('click', () => {
    filter.value = filter.value === button.dataset.filter ? '' : button.dataset.filter;
    pick(null);
  }));

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
