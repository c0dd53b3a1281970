/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import java.util.LinkedHashMap;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;

/** A bean with the attributes that it is given, as Kafka's own are. */
final class FakeBean implements DynamicMBean {
    private final Map<String, Object> values = new LinkedHashMap<>();

    /** Adds an attribute, or gives it another value. */
    FakeBean with(String attribute, Object value) {
        values.put(attribute, value);
        return this;
    }

    @Override
    public Object getAttribute(String attribute) {
        return values.get(attribute);
    }

    @Override
    public AttributeList getAttributes(String[] attributes) {
        AttributeList found = new AttributeList();
        for (String name : attributes) {
            if (values.containsKey(name)) {
                found.add(new Attribute(name, values.get(name)));
            }
        }
        return found;
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        MBeanAttributeInfo[] attributes =
                values.keySet().stream().map(FakeBean::attribute).toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo("bean", "", attributes, null, null, null);
    }

    private static MBeanAttributeInfo attribute(String name) {
        return new MBeanAttributeInfo(name, "java.lang.Object", "", true, false, false);
    }

    @Override
    public void setAttribute(Attribute attribute) {
        throw new UnsupportedOperationException();
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Object invoke(String action, Object[] parameters, String[] signature) {
        throw new UnsupportedOperationException();
    }
}
