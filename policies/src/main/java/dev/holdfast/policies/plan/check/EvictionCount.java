package dev.holdfast.policies.plan.check;

/**
 * Evictions in numbers, as messages tell of them.
 *
 * @param whose {@code of Deployment shop/web}, {@code for policy shop/web}, {@code in the cluster}
 */
public record EvictionCount(int number, String whose) {
    /** {@return what is under way: {@code 1 eviction of Deployment shop/web is in flight or planned}} */
    String underWay() {
        return subject() + (number == 1 ? " is" : " are") + " in flight or planned";
    }

    /** {@return what has been spent: {@code 2 evictions for policy shop/web were made within an hour or are being asked for}} */
    String spent() {
        return subject()
                + (number == 1
                        ? " was made within an hour or is being asked for"
                        : " were made within an hour or are being asked for");
    }

    private String subject() {
        return number + (number == 1 ? " eviction " : " evictions ") + whose;
    }
}
