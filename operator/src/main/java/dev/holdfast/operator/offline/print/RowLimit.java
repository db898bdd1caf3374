package dev.holdfast.operator.offline.print;

/** How many rows about pods or workloads a table of a report may have. */
public enum RowLimit {
    ALL,
    FORTY;

    /** {@return whether a table may have as many rows} */
    public boolean allows(int rows) {
        return switch (this) {
            case ALL -> true;
            case FORTY -> rows <= PodRows.MOST;
        };
    }
}
