package dev.holdfast.policies.index.count;

import dev.holdfast.policies.index.table.Table;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A rule whose verdict hangs on how many partners are in the holder's domain of one topology key. */
public abstract sealed class CellRule extends LiveRule permits LiveAntiAffinity, LiveSpread {
    private final Table<String, Cell> cells = new Table<>(cell -> cell.domain, cell -> cell.domain.hashCode());

    CellRule(List<TermMatcher> terms) {
        super(terms);
    }

    /**
     * {@return whether it is broken for holders in a domain}
     *
     * @param count how many partners are there
     * @param own how these holders count themselves
     */
    abstract boolean isBroken(int count, boolean own);

    /** Called when the last holder has left a group. */
    void emptied(Group group) {}

    /** {@return the cell of a domain, made if there is none} */
    final Cell cell(String domain) {
        Cell known = cells.get(domain);
        if (known == null) {
            known = new Cell(domain, this);
            cells.add(known);
        }
        return known;
    }

    /** {@return the cell of a domain; absent where there is neither a partner nor a holder} */
    final @Nullable public Cell cellIfUsed(String domain) {
        return cells.get(domain);
    }

    final void drop(Cell cell) {
        cells.remove(cell.domain);
    }
}
