package dev.holdfast.policies.effect;

/** How much a search may still examine. */
final class Budget {
    private long left;

    Budget(long most) {
        left = most;
    }

    void set(long most) {
        left = most;
    }

    long left() {
        return Math.max(0, left);
    }

    /** {@return whether one more thing may be examined, which counts from now on} */
    boolean take() {
        return take(1);
    }

    boolean take(long things) {
        left = Math.max(-1, left - things);
        return left >= 0;
    }

    /** {@return whether the search wanted to examine more than it might, so that it has no answer} */
    boolean isSpent() {
        return left < 0;
    }
}
