//! Changes to a document.

use super::{Document, Element, Kind, Namespace, NodeId, OwnAttribute, STYLE, Value, XLINK};

impl Document {
    fn element_mut(&mut self, id: NodeId) -> Option<&mut Element> {
        if let Kind::Element(element) = &mut self.nodes[id.index()].kind { Some(element) } else { None }
    }

    /// Sets an attribute without a namespace.
    pub(crate) fn set_attribute(&mut self, id: NodeId, name: &str, value: impl Into<Box<str>>) {
        self.set_attribute_in(id, None, name, value);
    }

    /// Sets an attribute in a namespace.
    pub(crate) fn set_attribute_in(
        &mut self,
        id: NodeId,
        namespace: Option<&str>,
        name: &str,
        value: impl Into<Box<str>>,
    ) {
        let value = Value::Own(value.into());
        // A value is replaced in its place, so that the order of attributes stays that of the text.
        let known = self.index_of_attribute(id, namespace, name);
        let Some(element) = self.element_mut(id) else { return };
        match known {
            Some(index) => element.attributes[index].value = value,
            None => {
                let (namespace, name) = (Namespace::of(namespace), Value::Own(name.into()));
                element.attributes.push(OwnAttribute { namespace, name, value });
            }
        }
    }

    /// Declares a property that has no presentation attribute.
    pub(crate) fn declare(&mut self, id: NodeId, property: &str, value: impl Into<Box<str>>) {
        self.set_attribute_in(id, Some(STYLE), property, value);
    }

    /// Removes an attribute without a namespace.
    pub(crate) fn remove_attribute(&mut self, id: NodeId, name: &str) {
        self.remove_attribute_in(id, None, name);
    }

    /// Removes an attribute in a namespace.
    pub(crate) fn remove_attribute_in(&mut self, id: NodeId, namespace: Option<&str>, name: &str) {
        let known = self.index_of_attribute(id, namespace, name);
        if let (Some(index), Some(element)) = (known, self.element_mut(id)) {
            element.attributes.remove(index);
        }
    }

    fn index_of_attribute(&self, id: NodeId, namespace: Option<&str>, name: &str) -> Option<usize> {
        let mut attributes = self.node(id).attributes();
        attributes.position(|attribute| attribute.namespace == namespace && attribute.name == name)
    }

    /// Sets the address that an element refers to.
    pub(crate) fn set_href(&mut self, id: NodeId, address: impl Into<Box<str>>) {
        // Otherwise, the element would have two different addresses.
        self.remove_attribute_in(id, Some(XLINK), "href");
        self.set_attribute(id, "href", address);
    }

    /// Moves an attribute or a declaration of CSS to another element, if there is one.
    pub(crate) fn move_attribute(&mut self, from: NodeId, to: NodeId, name: &str) {
        for namespace in [None, Some(STYLE)] {
            let value = self.node(from).attribute_in(namespace, name).map(str::to_owned);
            if let Some(value) = value {
                self.remove_attribute_in(from, namespace, name);
                self.set_attribute_in(to, namespace, name, value);
            }
        }
    }

    /// Copies an attribute or a declaration of CSS to another element, if it is set.
    pub(crate) fn copy_attribute(&mut self, from: NodeId, to: NodeId, name: &str) {
        for namespace in [None, Some(STYLE)] {
            if let Some(value) = self.node(from).attribute_in(namespace, name).map(str::to_owned) {
                self.set_attribute_in(to, namespace, name, value);
            }
        }
    }

    /// Removes the address that an element refers to.
    pub(crate) fn remove_href(&mut self, id: NodeId) {
        self.remove_attribute_in(id, Some(XLINK), "href");
        self.remove_attribute(id, "href");
    }

    /// Gives another name to an element.
    pub(crate) fn rename(&mut self, id: NodeId, name: &str) {
        if let Some(element) = self.element_mut(id) {
            element.name = Value::Own(name.into());
        }
    }

    /// Removes a node with its contents from the tree. It keeps its id.
    pub(crate) fn remove(&mut self, id: NodeId) {
        // The data stays in the list, because ids are indices. The node can be appended again.
        let (parent, previous, next) = {
            let data = &mut self.nodes[id.index()];
            (data.parent.take(), data.previous.take(), data.next.take())
        };
        let Some(parent) = parent else { return };
        match previous {
            Some(previous) => self.nodes[previous.index()].next = next,
            None => self.nodes[parent.index()].first = next,
        }
        match next {
            Some(next) => self.nodes[next.index()].previous = previous,
            None => self.nodes[parent.index()].last = previous,
        }
    }

    /// Removes all contents of an element.
    pub(crate) fn remove_contents(&mut self, id: NodeId) {
        while let Some(child) = self.data(id).first {
            self.remove(child);
        }
    }

    /// Makes a node without a parent the last child of another one.
    pub(crate) fn append(&mut self, parent: NodeId, id: NodeId) {
        let previous = self.nodes[parent.index()].last.replace(id);
        match previous {
            Some(previous) => self.nodes[previous.index()].next = Some(id),
            None => self.nodes[parent.index()].first = Some(id),
        }
        let data = &mut self.nodes[id.index()];
        (data.parent, data.previous) = (Some(parent), previous);
    }

    /// Inserts a node without a parent after another one.
    pub(crate) fn insert_after(&mut self, other: NodeId, id: NodeId) {
        let Some(parent) = self.data(other).parent else { return };
        // After the last child, this is the same as `append`.
        let Some(next) = self.data(other).next else { return self.append(parent, id) };
        self.nodes[other.index()].next = Some(id);
        self.nodes[next.index()].previous = Some(id);
        let data = &mut self.nodes[id.index()];
        (data.parent, data.previous, data.next) = (Some(parent), Some(other), Some(next));
    }

    /// Puts another node without a parent in the place of a node, which is then without one.
    pub(crate) fn replace(&mut self, id: NodeId, by: NodeId) {
        // The node itself marks the place, so it is removed after that.
        self.insert_after(id, by);
        self.remove(id);
    }

    /// A new element of SVG, which has no parent yet.
    pub(crate) fn new_element(&mut self, name: &str, attributes: &[(&str, &str)]) -> NodeId {
        let attribute = |(name, value): &(&str, &str)| OwnAttribute {
            namespace: Namespace::None,
            name: Value::Own((*name).into()),
            value: Value::Own((*value).into()),
        };
        let element = Element {
            name: Value::Own(name.into()),
            namespace: Namespace::Svg,
            attributes: attributes.iter().map(attribute).collect(),
            number: None,
            is_copy: false,
            is_drawn_by_use: false,
        };
        self.push(Kind::Element(Box::new(element)), 0)
    }

    /// Adds a new element of SVG as the last child of an element.
    pub(crate) fn append_element(
        &mut self,
        parent: NodeId,
        name: &str,
        attributes: &[(&str, &str)],
    ) -> NodeId {
        let child = self.new_element(name, attributes);
        self.append(parent, child);
        child
    }

    /// Adds characters as the last contents of an element.
    pub(crate) fn append_text(&mut self, parent: NodeId, text: &str) {
        let child = self.push(Kind::Text(Value::Own(text.into())), 0);
        self.append(parent, child);
    }

    /// Replaces the characters of a text.
    pub(crate) fn set_text(&mut self, id: NodeId, text: impl Into<Box<str>>) {
        if let Kind::Text(value) = &mut self.nodes[id.index()].kind {
            *value = Value::Own(text.into());
        }
    }

    /// Puts a group with these attributes around an element.
    pub(crate) fn wrap(&mut self, id: NodeId, attributes: &[(&str, &str)]) -> NodeId {
        let group = self.new_element("g", attributes);
        self.replace(id, group);
        self.append(group, id);
        group
    }

    /// Puts a group with these attributes around the contents of an element.
    pub(crate) fn wrap_contents(&mut self, id: NodeId, attributes: &[(&str, &str)]) -> NodeId {
        let group = self.new_element("g", attributes);
        self.move_contents(id, group);
        self.append(id, group);
        group
    }

    /// Moves the contents of an element to the end of another one.
    pub(crate) fn move_contents(&mut self, from: NodeId, to: NodeId) {
        while let Some(child) = self.data(from).first {
            self.remove(child);
            self.append(to, child);
        }
    }

    /// Copies a node with its contents, without what uses in it draw. The copy has no parent, and
    /// its elements have the numbers of their originals.
    pub(crate) fn copy_of(&mut self, id: NodeId) -> NodeId {
        let whole = self.copy_alone(id);
        // The nodes whose contents are not copied yet, with their copies.
        // Recursion would overflow the stack in deep documents.
        let mut left = vec![(id, whole)];
        while let Some((original, copy)) = left.pop() {
            let mut next = self.data(original).first;
            while let Some(child) = next {
                next = self.data(child).next;
                // A `use` in the copy gets copies of its own later.
                if !self.node(child).is_drawn_by_use() {
                    let of_child = self.copy_alone(child);
                    self.append(copy, of_child);
                    left.push((child, of_child));
                }
            }
        }
        whole
    }

    /// Copies a node without its contents.
    fn copy_alone(&mut self, id: NodeId) -> NodeId {
        let (mut kind, start) = (self.data(id).kind.clone(), self.data(id).start);
        if let Kind::Element(element) = &mut kind {
            (element.is_copy, element.is_drawn_by_use) = (true, false);
        }
        self.push(kind, start)
    }

    /// Puts a copy into the `use` that draws it.
    pub(crate) fn draw_by_use(&mut self, id: NodeId, copy: NodeId) {
        self.append(id, copy);
        if let Some(element) = self.element_mut(copy) {
            element.is_drawn_by_use = true;
        }
    }

    /// Makes an element one that is not in the text.
    pub(crate) fn remove_number(&mut self, id: NodeId) {
        if let Some(element) = self.element_mut(id) {
            element.number = None;
        }
    }
}
