package dev.holdfast.policies.compact;

import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * A sorted set in blocks of up to 256 elements, which takes a quarter of the memory of a {@code TreeSet}, or less. To
 * add or remove an element moves the elements of at most two blocks. Iterators are read-only.
 */
public final class CompactSortedSet<E extends Comparable<? super E>> extends AbstractSet<E> {
    private static final int MOST = 256;

    /** No block is empty, unless the set is. Each element of a block is smaller than all elements of later blocks. */
    private final List<List<E>> blocks = new ArrayList<>(1);

    private int size;

    public CompactSortedSet() {
        blocks.add(new ArrayList<>(1));
    }

    @Override
    public boolean add(E element) {
        int index = blockOf(element);
        List<E> block = blocks.get(index);
        int at = -1 - Collections.binarySearch(block, element);
        if (at < 0) {
            return false;
        }
        size++;
        if (at == MOST && index == blocks.size() - 1) {
            // Elements that come in order fill whole blocks.
            blocks.add(index + 1, new ArrayList<>(List.of(element)));
            return true;
        }
        block.add(at, element);
        if (block.size() > MOST) {
            List<E> upper = block.subList(MOST / 2, block.size());
            blocks.add(index + 1, new ArrayList<>(upper));
            upper.clear();
        }
        return true;
    }

    @Override
    public boolean contains(Object element) {
        return search(cast(element)) >= 0;
    }

    private int search(E element) {
        return Collections.binarySearch(blocks.get(blockOf(element)), element);
    }

    /** {@inheritDoc} A block that is mostly empty then becomes part of a neighbour, if there is room for it. */
    @Override
    public boolean remove(Object element) {
        E unwanted = cast(element);
        int at = search(unwanted);
        if (at < 0) {
            return false;
        }
        size--;
        int index = blockOf(unwanted);
        List<E> block = blocks.get(index);
        block.remove(at);
        if (block.size() < MOST / 4) {
            mergeWithNext(index);
            mergeWithNext(index - 1);
        }
        return true;
    }

    private void mergeWithNext(int index) {
        if (index >= 0
                && index + 1 < blocks.size()
                && blocks.get(index).size() + blocks.get(index + 1).size() <= MOST) {
            blocks.get(index).addAll(blocks.remove(index + 1));
        }
    }

    @SuppressWarnings("unchecked")
    private E cast(Object element) {
        return (E) element;
    }

    @Override
    public Iterator<E> iterator() {
        return blocks.stream().flatMap(Collection::stream).iterator();
    }

    /** {@return the number of blocks; at most one in 32 elements, and one more} */
    int blocks() {
        return blocks.size();
    }

    @Override
    public int size() {
        return size;
    }

    /** {@return the index of the only block that may have an element} */
    private int blockOf(E element) {
        int low = 0;
        int high = blocks.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) / 2;
            if (blocks.get(middle).getFirst().compareTo(element) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
