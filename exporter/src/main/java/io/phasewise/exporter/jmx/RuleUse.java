/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.jmx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.MBeanAttributeInfo;
import javax.management.ObjectName;

/**
 * Finds the attributes of beans that no rule makes anything of, so that a scrape need not read
 * them. Where it cannot tell, an attribute counts as used.
 *
 * <p>Tries the rules as the JMX exporter does: in their order, the first that matches decides, on
 * {@code domain<key=value, ...><>attribute: value}; a rule that is cached never sees the value.
 */
final class RuleUse {

    private static final String CACHED_VALUE = "<cache>";

    private final List<Rule> rules = new ArrayList<>();
    private final Map<String, Boolean> used = new HashMap<>();

    private static final class Rule {
        final Pattern pattern;
        final boolean cached;
        final boolean drops;

        Rule(Map<?, ?> keys) {
            Object text = keys.get("pattern");
            pattern = text == null ? null : Pattern.compile(String.valueOf(text));
            cached = Boolean.TRUE.equals(keys.get("cache"));
            drops = "".equals(keys.get("name"));
        }

        /** Whether it matches, or may for some value. */
        boolean mayMatch(String attribute) {
            if (pattern == null) {
                return true;
            }
            if (cached) {
                return pattern.matcher(attribute + CACHED_VALUE).find();
            }
            // find() alone would not tell whether it wants to see more or gave up before the end.
            Matcher matcher = pattern.matcher(attribute);
            for (int from = 0; from < attribute.length(); from++) {
                matcher.region(from, attribute.length());
                if (matcher.lookingAt() || matcher.hitEnd()) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * @param document rules in the format of the JMX exporter, checked
     */
    RuleUse(List<?> document) {
        for (Object rule : document) {
            rules.add(new Rule((Map<?, ?>) rule));
        }
    }

    /**
     * What rules are matched with: all but the value.
     *
     * @param bean as its name is written, so are its properties ordered
     */
    static String matched(ObjectName bean, String attribute) {
        return bean.getDomain()
                + "<"
                + bean.getKeyPropertyListString().replace(",", ", ")
                + "><>"
                + attribute
                + ": ";
    }

    /** The same, as a rule that is cached sees it. */
    static String matchedByCached(ObjectName bean, String attribute) {
        return matched(bean, attribute) + CACHED_VALUE;
    }

    /** Whether some rule makes something of an attribute, or may. */
    boolean isUsed(ObjectName bean, MBeanAttributeInfo attribute) {
        // What has parts is shown to the rules part by part.
        String type = attribute.getType();
        return type == null
                || type.contains("openmbean")
                || type.contains("Map")
                || used.computeIfAbsent(matched(bean, attribute.getName()), this::isUsed);
    }

    private boolean isUsed(String matched) {
        for (Rule rule : rules) {
            if (rule.mayMatch(matched)) {
                return !(rule.cached && rule.drops);
            }
        }
        return rules.isEmpty();
    }
}
