package dev.holdfast.operator.observe;

/**
 * How a list is asked for.
 *
 * @param server where it comes from
 * @param page how many objects at a time; 0 is all in one
 */
record ListWay(ApiServer server, int page) {
    /** Says it each time anew. */
    @FunctionalInterface
    interface Choice {
        /**
         * {@return the way for the next list}
         *
         * @throws RuntimeException that says why there is none now
         */
        ListWay next() throws InterruptedException;
    }

    /** {@return the query of the first page} */
    String query() {
        return page == 0 ? "" : "?limit=" + page;
    }

    /** {@return the query of the page after another} */
    String queryAfter(String continueToken) {
        return (page == 0 ? "?" : query() + "&") + "continue=" + continueToken;
    }
}
