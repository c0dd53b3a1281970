/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import java.util.stream.IntStream;
import scala.collection.IterableOnce;
import scala.collection.Iterator;

/** Reads a set of Scala's; apart, as a broker without such sets need not have Scala's classes. */
final class ScalaIds {

    private ScalaIds() {}

    static IntStream of(Object set) {
        IntStream.Builder ids = IntStream.builder();
        Iterator<?> iterator = ((IterableOnce<?>) set).iterator();
        while (iterator.hasNext()) {
            ids.add((Integer) iterator.next());
        }
        return ids.build();
    }
}
