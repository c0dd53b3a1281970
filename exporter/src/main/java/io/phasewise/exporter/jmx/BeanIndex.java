/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.Notification;
import javax.management.ObjectName;

/**
 * Knows at any time which beans match a few names and patterns, without ever searching for them
 * again: the bean server tells when a bean comes or goes. A search walks every bean of a domain,
 * and on a broker with 10,000 partitions those are tens of thousands.
 *
 * <p>Safe for use by several threads.
 */
public final class BeanIndex {

    private final Map<ObjectName, Set<ObjectName>> beans = new HashMap<>();
    private final List<ObjectName> wildcards = new ArrayList<>();
    private final AtomicLong version = new AtomicLong();

    private BeanIndex(Collection<ObjectName> patterns) {
        for (ObjectName pattern : patterns) {
            boolean isNew = beans.put(pattern, ConcurrentHashMap.newKeySet()) == null;
            if (isNew && pattern.isPattern()) {
                wildcards.add(pattern);
            }
        }
    }

    /**
     * Searches once and follows from then on, as long as the process lives.
     *
     * @param patterns names, with wildcards or without
     * @throws JMException when the bean server does not let itself be followed
     */
    public static BeanIndex follow(MBeanServer server, Collection<ObjectName> patterns) throws JMException {
        BeanIndex index = new BeanIndex(patterns);
        // Listening first: a bean that comes between is found twice rather than not at all.
        server.addNotificationListener(
                MBeanServerDelegate.DELEGATE_NAME, (notification, handback) -> index.changed(notification), null, null);
        for (ObjectName pattern : index.beans.keySet()) {
            index.beans.get(pattern).addAll(server.queryNames(pattern, null));
        }
        index.version.incrementAndGet();
        return index;
    }

    /** Beans that match one of the patterns given at the start. */
    public Set<ObjectName> matching(ObjectName pattern) {
        return Set.copyOf(beans.get(pattern));
    }

    /** Grows whenever what {@link #matching} answers may have changed. */
    public long version() {
        return version.get();
    }

    /** Called on the broker's thread that registers a bean: cheap, and never throws. */
    private void changed(Notification notification) {
        if (!(notification instanceof MBeanServerNotification)) {
            return;
        }
        ObjectName name = ((MBeanServerNotification) notification).getMBeanName();
        boolean there = MBeanServerNotification.REGISTRATION_NOTIFICATION.equals(notification.getType());
        // A name that has no wildcard matches itself; most are such.
        change(beans.get(name), name, there);
        for (ObjectName pattern : wildcards) {
            if (pattern.apply(name)) {
                change(beans.get(pattern), name, there);
            }
        }
    }

    private void change(Set<ObjectName> known, ObjectName name, boolean there) {
        if (known != null && (there ? known.add(name) : known.remove(name))) {
            version.incrementAndGet();
        }
    }
}
