/** What a bench sees: logs, watches, processes and the audit log, read as times and numbers. */
@NullMarked
package dev.holdfast.it.bench.measure;

import org.jspecify.annotations.NullMarked;
