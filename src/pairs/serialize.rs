//! Writes any value of serde as the pairs of a query or a form.

use std::fmt::{self, Display, Write};

use serde::Serialize;
use serde::ser::{
    self, Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct, Serializer,
};

use super::Unfit;
use crate::form;

impl Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no pairs of names and values")
    }
}

impl std::error::Error for Unfit {}

impl ser::Error for Unfit {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

/// Which part of the pairs a value is.
enum Place<'a> {
    Whole,
    Pair,
    Name(&'a mut String),
    /// The value of this name.
    Value(&'a str),
    /// One of several.
    Item(&'a str),
}

pub(super) struct Writer<'a> {
    to: &'a mut String,
    place: Place<'a>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(to: &'a mut String) -> Self {
        Self { to, place: Place::Whole }
    }

    fn scalar(self, value: impl Display) -> Result<(), Unfit> {
        match self.place {
            Place::Name(name) => write!(name, "{value}").map_err(|_| Unfit),
            Place::Value(name) | Place::Item(name) => {
                form::append(self.to, [(name, value)]);
                Ok(())
            }
            Place::Whole | Place::Pair => Err(Unfit),
        }
    }

    fn list(self) -> Result<List<'a>, Unfit> {
        let kind = match self.place {
            Place::Whole => Kind::Pairs,
            Place::Pair => Kind::Pair,
            Place::Value(name) => Kind::Items(name),
            Place::Name(_) | Place::Item(_) => return Err(Unfit),
        };
        Ok(List { to: self.to, kind, name: String::new(), count: 0 })
    }

    fn map(self) -> Result<List<'a>, Unfit> {
        match self.place {
            Place::Whole => self.list(),
            _ => Err(Unfit),
        }
    }
}

macro_rules! scalars {
    ($($method:ident: $kind:ty,)*) => {
        $(fn $method(self, value: $kind) -> Result<(), Unfit> {
            self.scalar(value)
        })*
    };
}

impl<'a> Serializer for Writer<'a> {
    type Ok = ();
    type Error = Unfit;
    type SerializeSeq = List<'a>;
    type SerializeTuple = List<'a>;
    type SerializeTupleStruct = List<'a>;
    type SerializeTupleVariant = Impossible<(), Unfit>;
    type SerializeMap = List<'a>;
    type SerializeStruct = List<'a>;
    type SerializeStructVariant = Impossible<(), Unfit>;

    scalars! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_i128: i128,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_u128: u128,
        serialize_f32: f32,
        serialize_f64: f64,
        serialize_char: char,
        serialize_str: &str,
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Unfit> {
        Err(Unfit)
    }

    fn serialize_none(self) -> Result<(), Unfit> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Unfit> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Unfit> {
        match self.place {
            Place::Whole | Place::Value(_) | Place::Item(_) => Ok(()),
            Place::Pair | Place::Name(_) => Err(Unfit),
        }
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Unfit> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Unfit> {
        self.scalar(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Unfit> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Unfit> {
        Err(Unfit)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List<'a>, Unfit> {
        self.list()
    }

    fn serialize_tuple(self, _: usize) -> Result<List<'a>, Unfit> {
        self.list()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List<'a>, Unfit> {
        self.list()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unfit> {
        Err(Unfit)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<List<'a>, Unfit> {
        self.map()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<List<'a>, Unfit> {
        self.map()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unfit> {
        Err(Unfit)
    }
}

enum Kind<'a> {
    Pairs,
    /// One of them: a name, then its value.
    Pair,
    /// The values of this name.
    Items(&'a str),
}

/// A value that has several.
pub(super) struct List<'a> {
    to: &'a mut String,
    kind: Kind<'a>,
    /// Of the value that comes next.
    name: String,
    count: u8,
}

impl List<'_> {
    fn name<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), Unfit> {
        self.name.clear();
        name.serialize(Writer { to: self.to, place: Place::Name(&mut self.name) })
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unfit> {
        value.serialize(Writer { to: self.to, place: Place::Value(&self.name) })
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unfit> {
        match self.kind {
            Kind::Pairs => value.serialize(Writer { to: self.to, place: Place::Pair }),
            Kind::Items(name) => value.serialize(Writer { to: self.to, place: Place::Item(name) }),
            Kind::Pair => {
                self.count = self.count.saturating_add(1);
                match self.count {
                    1 => self.name(value),
                    2 => self.value(value),
                    _ => Err(Unfit),
                }
            }
        }
    }

    fn done(self) -> Result<(), Unfit> {
        match self.kind {
            Kind::Pair if self.count != 2 => Err(Unfit),
            _ => Ok(()),
        }
    }
}

macro_rules! lists {
    ($($of:ident, $method:ident;)*) => {
        $(impl $of for List<'_> {
            type Ok = ();
            type Error = Unfit;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unfit> {
                self.element(value)
            }

            fn end(self) -> Result<(), Unfit> {
                self.done()
            }
        })*
    };
}

lists! {
    SerializeSeq, serialize_element;
    SerializeTuple, serialize_element;
    SerializeTupleStruct, serialize_field;
}

impl SerializeMap for List<'_> {
    type Ok = ();
    type Error = Unfit;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unfit> {
        self.name(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unfit> {
        self.value(value)
    }

    fn end(self) -> Result<(), Unfit> {
        Ok(())
    }
}

impl SerializeStruct for List<'_> {
    type Ok = ();
    type Error = Unfit;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Unfit> {
        value.serialize(Writer { to: self.to, place: Place::Value(name) })
    }

    fn end(self) -> Result<(), Unfit> {
        Ok(())
    }
}
