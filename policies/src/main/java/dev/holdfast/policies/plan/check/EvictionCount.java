package dev.holdfast.policies.plan.check;

/**
 * A number of evictions, as messages show it.
 *
 * @param whose what the evictions have in common: {@code of Deployment shop/web}, {@code for policy shop/web} or {@code
 *     in the cluster}
 */
public record EvictionCount(int number, String whose) {
    /**
     * {@return how many evictions are in flight, as text: {@code 1 eviction of Deployment shop/web is in flight or
     * planned}}
     */
    String inFlight() {
        return subject() + (number == 1 ? " is" : " are") + " in flight or planned";
    }

    /**
     * {@return how many evictions the last hour had, as text: {@code 2 evictions for policy shop/web were sent within
     * the last hour or are in progress}}
     */
    String withinHour() {
        return subject()
                + (number == 1
                        ? " was sent within the last hour or is in progress"
                        : " were sent within the last hour or are in progress");
    }

    private String subject() {
        return number + (number == 1 ? " eviction " : " evictions ") + whose;
    }
}
